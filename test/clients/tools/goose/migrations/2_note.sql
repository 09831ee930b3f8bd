-- +goose Up
ALTER TABLE customers ADD COLUMN note text;
-- +goose StatementBegin
CREATE TRIGGER customers_kept BEFORE DELETE ON customers BEGIN
  SELECT raise(ABORT, 'customers are kept');
END;
-- +goose StatementEnd

-- +goose Down
DROP TRIGGER customers_kept;
ALTER TABLE customers DROP COLUMN note;
