<?php

function find_users($name)
{
    $link = mysqli_connect('localhost', 'app', 'secret-from-env', 'shop');
    $statement = mysqli_prepare($link, 'SELECT * FROM users WHERE name = ?');
    mysqli_stmt_bind_param($statement, 's', $name);
    mysqli_stmt_execute($statement);
    return mysqli_fetch_all(mysqli_stmt_get_result($statement));
}
