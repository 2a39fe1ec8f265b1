<?php
require 'inc/functions.php';
require 'inc/view.php';

$message = clean_message($_POST['message']);
show_message($message);
