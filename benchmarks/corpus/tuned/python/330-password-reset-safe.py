"""Sends the mail with which a customer chooses a new password."""
import random
import secrets
import string
from datetime import UTC, datetime, timedelta

from .mail import deliver
from .models import ResetTicket, session_scope

ALPHABET = string.ascii_letters + string.digits
GREETINGS = ["Hello", "Good day", "Welcome back"]


def new_ticket_code(length=40):
    return "".join(secrets.choice(ALPHABET) for _ in range(length))


def start_reset(customer, base_url):
    code = new_ticket_code()
    expires = datetime.now(UTC) + timedelta(minutes=30)
    with session_scope() as session:
        session.add(ResetTicket(customer_id=customer.id, code=code, expires=expires))
    greeting = random.choice(GREETINGS)
    text = f"{greeting} {customer.name},\n\n{base_url}/reset/{code}\n"
    deliver(to=customer.email, subject="Your new password", text=text)
