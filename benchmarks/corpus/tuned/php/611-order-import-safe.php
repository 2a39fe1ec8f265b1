<?php
declare(strict_types=1);

function read_order(string $xml): array
{
    $doc = new DOMDocument();
    if (!$doc->loadXML($xml, LIBXML_NONET)) {
        throw new InvalidArgumentException('not XML');
    }
    $lines = [];
    foreach ($doc->getElementsByTagName('line') as $line) {
        $lines[] = ['sku' => $line->getAttribute('sku'), 'n' => (int) $line->textContent];
    }
    return $lines;
}

$body = file_get_contents('php://input', false, null, 0, 100000);
try {
    $order = read_order($body);
} catch (InvalidArgumentException) {
    http_response_code(400);
    exit;
}
header('Content-Type: application/json');
echo json_encode($order);
