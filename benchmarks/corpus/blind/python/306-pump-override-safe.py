from fastapi import APIRouter, Depends, HTTPException, Security
from pydantic import BaseModel, Field

from .access import operator_from_token
from .hardware import PumpBus, pump_bus

router = APIRouter(prefix="/pumps", tags=["pumps"])


class Override(BaseModel):
    speed: int = Field(ge=0, le=100)
    minutes: int = Field(gt=0, le=60)


@router.get("/")
def overview(bus: PumpBus = Depends(pump_bus)):
    return {"pumps": bus.names()}


@router.post("/{name}/override")
def override(
    name: str,
    order: Override,
    bus: PumpBus = Depends(pump_bus),
    operator: str = Security(operator_from_token, scopes=["pumps:write"]),
):
    if name not in bus.names():
        raise HTTPException(status_code=404, detail="no such pump")
    bus.set_speed(name, order.speed, order.minutes)
    return {"pump": name, "speed": order.speed}
