import os

from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[int] = mapped_column(primary_key=True)
    # The second migration adds a column and copies the table, because SQLite cannot add NOT NULL.
    if os.environ.get("NOTE"):
        name: Mapped[str]
        note: Mapped[str | None]
    else:
        name: Mapped[str | None]
