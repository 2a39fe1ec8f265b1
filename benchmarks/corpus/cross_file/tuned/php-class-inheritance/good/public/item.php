<?php

require __DIR__ . '/../vendor/autoload.php';

use Shop\Model\Item;

$item = new Item();
echo json_encode($item->byName($_GET['name']));
