<?php

namespace Shop\Model;

abstract class Base
{
    protected \PDO $pdo;

    protected function firstWhere(string $condition): array
    {
        $statement = $this->pdo->prepare("SELECT * FROM item WHERE name = ?");
        $statement->execute([$condition]);
        return $statement->fetch();
    }
}
