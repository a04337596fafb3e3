"""Front-end files of CONRO: what they show or do cannot be data; imported when used."""
