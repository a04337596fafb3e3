"""Front-end files of MICROTUB: what they show or do cannot be data; imported when used."""
