<?php
/* Buys something with the generated client for PHP. Run by description-tools.test.ts, which checks what it prints. */

declare(strict_types=1);

use Dispensary\Api;
use Dispensary\ApiException;
use Dispensary\Configuration;
use Dispensary\Model;

require __DIR__ . '/php-client.php';

$configuration = (new Configuration())
    ->setHost(getenv('DISPENSARY_URL'))
    ->setApiKey('X-Consumer-Key', getenv('CONSUMER_KEY'))
    ->setApiKey('X-Client-Key', getenv('CLIENT_KEY'));
$http = new GuzzleHttp\Client();
$orders = new Api\OrdersApi($http, $configuration);

function newKey(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr((ord($bytes[6]) & 0x0f) | 0x40);
    $bytes[8] = chr((ord($bytes[8]) & 0x3f) | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

$options = [];
foreach ((new Api\MenuApi($http, $configuration))->getMenu('pickup')->getData() as $product) {
    foreach ($product->getOptions() as $option) {
        if ($option->getMaxQuantity() > 1) {
            $options[] = $option;
        }
    }
}
$lines = [['productOptionId' => $options[0]->getId(), 'quantity' => 1]];
$cart = new Model\CartPricingRequest(['type' => 'pickup', 'line_items' => $lines]);
$priced = $orders->priceCart($cart)->getData();

$place = static fn (string $key, int $total) => $orders->placeOrder(new Model\PlaceOrderRequest([
    'type' => 'pickup',
    'line_items' => $lines,
    'customer' => ['firstName' => 'Ada', 'lastName' => 'Moreno', 'email' => 'ada@customers.example.com'],
    'idempotency_key' => $key,
    'expected_customer_grand_total' => $total,
]))->getData();
$key = newKey();
$placed = $place($key, $priced->getCustomerGrandTotal());
$again = $place($key, $priced->getCustomerGrandTotal());
try {
    $place(newKey(), 1);
    $refusal = null;
} catch (ApiException $refused) {
    $refusal = $refused->getResponseObject()->getError()->code;
}
$listed = array_map(static fn ($order) => $order->getId(), $orders->listOrders()->getData());

echo json_encode([
    'isOneOrder' => $placed->getId() === $again->getId(),
    'isAtPreview' => $placed->getCustomerGrandTotal() === $priced->getCustomerGrandTotal(),
    'isListed' => in_array($placed->getId(), $listed, true),
    'shop' => (new Api\OrganizationApi($http, $configuration))->getOrganization()->getData()->getName(),
    'refusal' => $refusal,
]);
