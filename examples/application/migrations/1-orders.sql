CREATE TABLE orders (
  id INTEGER PRIMARY KEY,
  item TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity > 0)
);
