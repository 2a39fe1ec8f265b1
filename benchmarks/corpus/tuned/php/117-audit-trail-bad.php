<?php
declare(strict_types=1);

final class Audit
{
    public function __construct(private string $file)
    {
    }

    public function note(string $event, string $who): void
    {
        $line = sprintf("%s %s %s\n", date('c'), $event, $who);
        file_put_contents($this->file, $line, FILE_APPEND | LOCK_EX);
    }
}

$audit = new Audit('/var/log/shop/audit.log');
$name = $_POST['user'] ?? 'unknown';
if (!check_login($name, $_POST['password'] ?? '')) {
    $audit->note('login-failed', $name);
    http_response_code(401);
}
