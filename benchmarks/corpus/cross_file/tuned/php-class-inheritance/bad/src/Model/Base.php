<?php

namespace Shop\Model;

abstract class Base
{
    protected \PDO $pdo;

    protected function firstWhere(string $condition): array
    {
        return $this->pdo->query("SELECT * FROM item WHERE " . $condition)->fetch();
    }
}
