<?php

declare(strict_types=1);

require __DIR__ . '/bootstrap.php';

/** @var mysqli $db */
$db = connect();

$town = $_GET['town'] ?? '';
$seats = (int) ($_GET['seats'] ?? 2);

$sql = "SELECT id, name, seats FROM boats WHERE seats >= $seats AND town = ?";
$statement = $db->prepare($sql);
$statement->bind_param('s', $town);
$statement->execute();
$result = $statement->get_result();

$boats = [];
while ($row = $result->fetch_assoc()) {
    $boats[] = ['id' => (int) $row['id'], 'name' => $row['name'], 'seats' => (int) $row['seats']];
}
$result->free();

header('Content-Type: application/json');
echo json_encode(['boats' => $boats], JSON_THROW_ON_ERROR);
