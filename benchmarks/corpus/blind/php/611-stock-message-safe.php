<?php

declare(strict_types=1);

namespace Warehouse;

use DOMDocument;
use InvalidArgumentException;

final class StockMessage
{
    /** @return array<string, int> */
    public static function quantities(string $xml): array
    {
        $document = new DOMDocument();
        $options = LIBXML_NONET | LIBXML_NOBLANKS;
        if (!$document->loadXML($xml, $options)) {
            throw new InvalidArgumentException('not a stock message');
        }
        $quantities = [];
        foreach ($document->getElementsByTagName('item') as $item) {
            $quantities[$item->getAttribute('sku')] = (int) $item->textContent;
        }
        return $quantities;
    }
}

$body = file_get_contents('php://input', false, null, 0, 1 << 20);
header('Content-Type: application/json');
echo json_encode(StockMessage::quantities((string) $body));
