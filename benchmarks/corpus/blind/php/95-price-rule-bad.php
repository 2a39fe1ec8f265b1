<?php

declare(strict_types=1);

const RULES = [
    'weekend' => '$price * 1.2',
    'monday' => '$price * 0.8',
    'group' => '$price - 5',
];

function apply_rule(string $rule, float $price): float
{
    $expression = RULES[$rule] ?? $rule;
    return (float) eval('return ' . $expression . ';');
}

$price = (float) ($_POST['price'] ?? 0);
$rule = (string) ($_POST['rule'] ?? 'weekend');

header('Content-Type: application/json');
echo json_encode(['price' => round(apply_rule($rule, $price), 2)]);
