<?php

declare(strict_types=1);

require __DIR__ . '/bootstrap.php';

if (!isset($_SESSION['customer_id'])) {
    header('Location: /login.php');
    exit;
}

function field(string $name, int $length): string
{
    $value = $_POST[$name] ?? '';

    return is_string($value) ? mb_substr(trim($value), 0, $length) : '';
}

$_SESSION['form_token'] ??= bin2hex(random_bytes(32));
$saved = false;
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
    if (!hash_equals($_SESSION['form_token'], field('form_token', 64))) {
        http_response_code(403);
        exit('The form has expired.');
    }
    $statement = database()->prepare('UPDATE customers SET street = ?, city = ? WHERE id = ?');
    $saved = $statement->execute([field('street', 120), field('city', 80), $_SESSION['customer_id']]);
}

$statement = database()->prepare('SELECT street, city FROM customers WHERE id = ?');
$statement->execute([$_SESSION['customer_id']]);
$customer = $statement->fetch(PDO::FETCH_ASSOC) ?: ['street' => '', 'city' => ''];
?>
<!doctype html>
<title>Delivery address</title>
<?php if ($saved): ?><p>Your address has been saved.</p><?php endif; ?>
<form method="post" action="/delivery.php">
    <input type="hidden" name="form_token" value="<?= htmlspecialchars($_SESSION['form_token']) ?>">
    <input name="street" value="<?= htmlspecialchars((string) $customer['street']) ?>">
    <input name="city" value="<?= htmlspecialchars((string) $customer['city']) ?>">
    <button>Save</button>
</form>
