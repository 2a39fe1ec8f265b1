<?php

declare(strict_types=1);

final class ViewPreferences
{
    private const COOKIE = 'view_prefs';

    public function __construct(
        public string $columns = 'compact',
        public int $perPage = 25,
    ) {
    }

    public static function fromCookie(array $cookies): self
    {
        $raw = base64_decode((string) ($cookies[self::COOKIE] ?? ''), true);
        if ($raw === false || $raw === '') {
            return new self();
        }
        $stored = json_decode($raw, true, 4);
        if (!is_array($stored)) {
            return new self();
        }
        $columns = ($stored['columns'] ?? '') === 'wide' ? 'wide' : 'compact';
        return new self($columns, max(10, min(100, (int) ($stored['perPage'] ?? 25))));
    }

    private function serialize(): string
    {
        return json_encode(['columns' => $this->columns, 'perPage' => $this->perPage]);
    }

    public function toCookie(): void
    {
        setcookie(self::COOKIE, base64_encode($this->serialize()), [
            'expires' => time() + 90 * 86400,
            'path' => '/',
            'secure' => true,
            'httponly' => true,
            'samesite' => 'Lax',
        ]);
    }
}

$preferences = ViewPreferences::fromCookie($_COOKIE);
if (in_array($_GET['columns'] ?? null, ['compact', 'wide'], true)) {
    $preferences->columns = $_GET['columns'];
}
$preferences->toCookie();
header('Content-Type: application/json');
echo json_encode($preferences);
