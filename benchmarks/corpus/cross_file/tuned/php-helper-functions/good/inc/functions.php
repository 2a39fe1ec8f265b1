<?php

function clean_message($text)
{
    return htmlspecialchars(trim(substr($text, 0, 400)), ENT_QUOTES);
}
