<?php

namespace Acme;

class Input
{
    public static function text(string $key): string
    {
        return $_POST[$key] ?? '';
    }

    public static function number(string $key): int
    {
        return (int) ($_POST[$key] ?? 0);
    }
}
