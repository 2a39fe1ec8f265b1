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

$saved = false;
if ($_SERVER['REQUEST_METHOD'] === 'POST') {
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
    <input name="street" value="<?= htmlspecialchars((string) $customer['street']) ?>">
    <input name="city" value="<?= htmlspecialchars((string) $customer['city']) ?>">
    <button>Save</button>
</form>
