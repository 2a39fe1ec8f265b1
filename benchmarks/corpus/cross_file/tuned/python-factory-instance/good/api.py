from fastapi import Depends, FastAPI

from connections import get_database

app = FastAPI()


@app.get("/orders")
def orders(customer: str, database=Depends(get_database)):
    return database.orders_of(customer)
