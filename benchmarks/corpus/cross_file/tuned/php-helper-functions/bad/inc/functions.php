<?php

function clean_message($text)
{
    return trim(substr($text, 0, 400));
}
