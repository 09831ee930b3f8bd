import json
import os

from sqlalchemy import ForeignKey, create_engine, insert, inspect, select
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column, relationship
from sqlalchemy.types import UserDefinedType


class Blob(UserDefinedType):
    """A column of bytes without `Binary` of the driver, which this driver does not have."""

    cache_ok = True

    def get_col_spec(self):
        return "BLOB"


class Base(DeclarativeBase):
    pass


class Customer(Base):
    __tablename__ = "customers"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(unique=True)


class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    customer_id: Mapped[int] = mapped_column(ForeignKey("customers.id"))
    total: Mapped[int]
    picture: Mapped[bytes | None] = mapped_column(Blob)
    note: Mapped[str | None]
    customer: Mapped[Customer] = relationship()


address = os.environ["DATABASE_URL"].removeprefix("http://")
engine = create_engine(
    f"sqlite+libsql://{address}", connect_args={"auth_token": os.environ["DATABASE_TOKEN"]}
)
# The second time, the tables exist and are not created.
for _ in range(2):
    Base.metadata.create_all(engine)

with Session(engine) as session:
    names = [{"name": "ada"}, {"name": "max"}]
    returned = list(session.scalars(insert(Customer).returning(Customer.id), names))
    # The driver sends integers above 2^31 as floats, which are exact up to 2^53.
    order = Order(customer_id=returned[0], total=2**53, picture=bytes([0, 255]))
    session.add(order)
    session.commit()

with Session(engine) as session:
    session.delete(session.scalars(select(Order)).one())
    session.flush()
    session.rollback()

with Session(engine) as session:
    found = session.scalars(select(Order).join(Order.customer).where(Customer.name == "ada")).one()
    joined = {
        "name": found.customer.name,
        "total": str(found.total),
        "picture": found.picture.hex(),
        "note": found.note,
    }


def refused(thing):
    try:
        with Session(engine) as session:
            session.add(thing)
            session.commit()
    # The driver does not raise the errors of DB-API, so SQLAlchemy does not translate them.
    except ValueError as error:
        return str(error)


print(
    json.dumps(
        {
            "returned": returned,
            "joined": joined,
            "schemas": inspect(engine).get_schema_names(),
            "duplicate": refused(Customer(name="ada")),
            "orphan": refused(Order(customer_id=7, total=1)),
        }
    )
)
