<?php

function show_message($message)
{
    echo '<p class="message">' . $message . '</p>';
}
