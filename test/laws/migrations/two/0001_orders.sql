CREATE TABLE orders (id integer PRIMARY KEY, item text);
