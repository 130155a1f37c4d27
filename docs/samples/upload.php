<?php
$url = setting('ADX_URL');
$headers = ['x-api-key: ' . setting('ADX_API_KEY'), 'content-type: application/json'];

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("$name is not set");
}

function send(string $method, string $url, array $headers, string $content): string
{
    $options = ['method' => $method, 'header' => $headers, 'content' => $content];
    // A redirect would send the key to another host.
    $options += ['ignore_errors' => true, 'follow_location' => 0];
    $context = stream_context_create(['http' => $options]);
    // The rest of the address of the storage has a signature.
    $address = strtok($url, '?');
    $stream = @fopen($url, 'r', false, $context) ?: throw new RuntimeException("$address: no answer");
    $answer = stream_get_contents($stream);
    [$status] = stream_get_meta_data($stream)['wrapper_data'];
    return preg_match('/^\S+ 2/', $status) ? $answer : throw new RuntimeException("$address: $status $answer");
}

function call(string $path, array $body = []): array
{
    global $url, $headers;
    $answer = json_decode(send('POST', $url . $path, $headers, json_encode((object) $body)), true);
    return $answer ?? throw new RuntimeException("$path: the answer is not JSON");
}

function put(array $credentials, string $key, string $content): void
{
    ['region' => $region, 'bucketName' => $bucket] = $credentials;
    // Without an endpoint, the storage is AWS.
    $endpoint = $credentials['endpoint'] ?? "https://{bucket}.s3.$region.amazonaws.com";
    $isInHost = str_contains($endpoint, '{bucket}');
    $base = $isInHost ? str_replace('{bucket}', $bucket, $endpoint) : "$endpoint/$bucket";
    $address = "$base/$credentials[prefix]/" . rawurlencode($key);
    ['path' => $path, 'host' => $host, 'port' => $port] = parse_url($address) + ['port' => ''];
    $host .= $port === '' ? '' : ":$port";
    $now = gmdate('Ymd\THis\Z');
    $scope = substr($now, 0, 8) . "/$region/s3/aws4_request";
    $query = http_build_query([
        'X-Amz-Algorithm' => 'AWS4-HMAC-SHA256',
        'X-Amz-Credential' => "$credentials[accessKeyId]/$scope",
        'X-Amz-Date' => $now,
        'X-Amz-Expires' => 300,
        'X-Amz-Security-Token' => $credentials['sessionToken'],
        'X-Amz-SignedHeaders' => 'host',
    ], '', '&', PHP_QUERY_RFC3986);
    $hashed = hash('sha256', "PUT\n$path\n$query\nhost:$host\n\nhost\nUNSIGNED-PAYLOAD");
    $signature = "AWS4$credentials[secretAccessKey]";
    foreach ([...explode('/', $scope), "AWS4-HMAC-SHA256\n$now\n$scope\n$hashed"] as $part) {
        $signature = hash_hmac('sha256', $part, $signature, true);
    }
    $url = "$address?$query&X-Amz-Signature=" . bin2hex($signature);
    send('PUT', $url, ['content-type: application/octet-stream'], $content);
}

$tokens = call('/token', [
    'username' => setting('ADX_USERNAME'),
    'password' => base64_encode(setting('ADX_PASSWORD')),
]);
$headers[] = 'authorization: Bearer ' . $tokens['idToken'];
$credentials = call('/coda-files/upload-credentials');
put($credentials, 'statement.cod', 'This is not a statement.');
$wanted = ['prefix' => $credentials['prefix'], 'status' => ['processed', 'rejected']];
$uploads = [];
foreach ([1, 2, 3, 5, 10, 20, 20, 20] as $pause) {
    sleep($pause);
    $uploads = call('/uploads', $wanted)['records'];
    if ($uploads !== []) {
        break;
    }
}
if ($uploads === []) {
    throw new RuntimeException('no outcome yet: ask again later');
}
foreach ($uploads as $upload) {
    echo "$upload[key] $upload[status]\n";
    foreach ($upload['findings'] as $finding) {
        echo "$finding[severity] $finding[code] $finding[message]\n";
    }
}
