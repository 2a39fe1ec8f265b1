<?php

function find_users($name)
{
    $link = mysqli_connect('localhost', 'app', 'secret-from-env', 'shop');
    $result = mysqli_query($link, "SELECT * FROM users WHERE name = '$name'");
    return mysqli_fetch_all($result);
}
