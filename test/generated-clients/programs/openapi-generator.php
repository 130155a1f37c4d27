<?php

use OpenAPI\Client\Api\CODAFilesApi;
use OpenAPI\Client\Api\CustomersApi;
use OpenAPI\Client\Api\SignInApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\CreateCustomerRequest;
use OpenAPI\Client\Model\ListCodaFilesRequest;
use OpenAPI\Client\Model\TokenRequest;
use OpenAPI\Client\ObjectSerializer;

error_reporting(E_ALL & ~E_DEPRECATED);
require 'GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $path = str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class);
    if (is_file("client/lib/$path.php")) {
        require "client/lib/$path.php";
    }
});

$configuration = (new Configuration())
    ->setHost(getenv('ADX_URL'))
    ->setApiKey('x-api-key', getenv('ADX_API_KEY'));
$tokens = (new SignInApi(null, $configuration))->getToken(new TokenRequest([
    'username' => getenv('ADX_USERNAME'),
    'password' => getenv('ADX_PASSWORD'),
]));
$configuration->setAccessToken($tokens->getIdToken());

$customers = new CustomersApi(null, $configuration);
$customer = ObjectSerializer::deserialize(
    json_decode(getenv('ADX_CUSTOMER')),
    CreateCustomerRequest::class
);
$created = $customers->createCustomer($customer);
try {
    $customers->createCustomer($customer);
    $again = null;
} catch (ApiException $error) {
    $again = [$error->getCode(), json_decode($error->getResponseBody())->error];
}
[$group] = (new CODAFilesApi(null, $configuration))->listCodaFiles(new ListCodaFilesRequest());
[$file] = $group->getIbans()[0]->getFiles();

echo json_encode([
    'created' => $created->getName(),
    'again' => $again,
    'downloaded' => file_get_contents($file->getUrls()->getCoda()),
]);
