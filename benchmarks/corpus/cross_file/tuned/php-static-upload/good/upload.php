<?php

require_once 'lib/Storage.php';

$name = $_FILES['document']['name'];
Storage::save($_FILES['document']['tmp_name'], $_REQUEST['folder']);
