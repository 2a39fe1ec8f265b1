<?php
require_once __DIR__ . '/lib/users.php';

$name = $_GET['name'];
$rows = find_users($name);
echo count($rows);
