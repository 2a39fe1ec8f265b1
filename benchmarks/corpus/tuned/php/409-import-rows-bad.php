<?php
final class Import
{
    public function rows(string $body): array
    {
        $text = gzdecode($body);
        return array_map('str_getcsv', explode("\n", $text));
    }
}
$import = new Import();
$rows = $import->rows(file_get_contents('php://input'));
