<?php
declare(strict_types=1);

final class Members
{
    public function __construct(private PDO $pdo)
    {
    }

    public function emailOf(int $id): string
    {
        $stmt = $this->pdo->prepare('SELECT email FROM member WHERE id = ?');
        $stmt->execute([$id]);
        $row = $stmt->fetch(PDO::FETCH_OBJ);
        return $row->email;
    }
}
