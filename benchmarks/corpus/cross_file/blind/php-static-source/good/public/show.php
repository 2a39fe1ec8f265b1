<?php

use Acme\Input;

require __DIR__ . '/../src/Input.php';

$number = Input::number('number');
echo '<h1>' . $number . '</h1>';
