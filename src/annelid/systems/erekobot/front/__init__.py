"""Front-end files of ErekoBot: what they show or do cannot be data; imported when used."""
