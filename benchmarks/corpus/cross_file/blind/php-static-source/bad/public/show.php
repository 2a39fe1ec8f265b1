<?php

use Acme\Input;

require __DIR__ . '/../src/Input.php';

$title = Input::text('title');
echo '<h1>' . $title . '</h1>';
