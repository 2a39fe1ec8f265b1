<?php
declare(strict_types=1);

function share(int $cents, array $people): array
{
    $each = intdiv($cents, count($people));
    $shares = [];
    foreach ($people as $person) {
        $shares[$person] = $each;
    }
    return $shares;
}

$people = array_filter(explode(',', $argv[1] ?? ''));
print_r(share(1000, $people));
