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
        $stored = unserialize($raw);
        return $stored instanceof self ? $stored : new self();
    }

    public function toCookie(): void
    {
        setcookie(self::COOKIE, base64_encode(serialize($this)), [
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
