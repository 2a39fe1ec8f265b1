<?php

declare(strict_types=1);

final class ContactMessage
{
    private function __construct(
        public readonly string $sender,
        public readonly string $text,
    ) {
    }

    public static function fromForm(array $form): ?self
    {
        $sender = $form['email'] ?? '';
        $text = $form['message'] ?? '';
        if (!is_string($sender) || !is_string($text) || trim($text) === '') {
            return null;
        }
        if (!str_contains($sender, '@')) {
            return null;
        }

        return new self($sender, mb_substr($text, 0, 5000));
    }
}

function deliver(ContactMessage $message): bool
{
    $headers = implode("\r\n", [
        'From: Website <no-reply@museum.example>',
        'Reply-To: ' . $message->sender,
        'Content-Type: text/plain; charset=utf-8',
    ]);

    return mail('desk@museum.example', 'Message from the website', $message->text, $headers);
}

$message = ContactMessage::fromForm($_POST);
if ($message === null) {
    http_response_code(422);
    echo 'Please give a valid address and a message.';
} elseif (deliver($message)) {
    echo 'Thank you for your message.';
} else {
    http_response_code(503);
    echo 'The message could not be sent.';
}
