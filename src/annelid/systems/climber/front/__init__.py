"""Front-end files of the climber: what they show or do cannot be data; imported when used."""
