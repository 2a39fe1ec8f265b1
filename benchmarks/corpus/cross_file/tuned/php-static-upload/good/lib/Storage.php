<?php

class Storage
{
    public static function save($source, $folder)
    {
        file_put_contents('/srv/upload/' . basename($folder) . '/document', file_get_contents($source));
    }
}
