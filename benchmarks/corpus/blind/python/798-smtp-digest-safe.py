import os
import smtplib
import ssl
from email.message import EmailMessage

SMTP_HOST = "mail.greenhouse.example"
SMTP_USER = "digest"
SMTP_PASSWORD = os.environ["DIGEST_SMTP_PASSWORD"]


def compose(readings):
    message = EmailMessage()
    message["Subject"] = "Greenhouse digest"
    message["From"] = "digest@greenhouse.example"
    message["To"] = "growers@greenhouse.example"
    lines = [f"{name}: {value:.1f} C" for name, value in sorted(readings.items())]
    message.set_content("\n".join(lines))
    return message


def send_digest(readings):
    context = ssl.create_default_context()
    with smtplib.SMTP_SSL(SMTP_HOST, 465, context=context) as smtp:
        smtp.login(SMTP_USER, SMTP_PASSWORD)
        smtp.send_message(compose(readings))
