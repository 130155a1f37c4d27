<?php
$url = setting('ADX_URL');
$headers = ['x-api-key: ' . setting('ADX_API_KEY'), 'content-type: application/json'];

// Without this, PHP goes on after a file that it could not read or write.
set_error_handler(fn ($level, $message) => throw new ErrorException($message));

function setting(string $name): string
{
    return getenv($name) ?: throw new RuntimeException("$name is not set");
}

function send(string $url, array $options = []): string
{
    // PHP does not notice that an answer in chunks ends early: in JSON it shows, a file has a length.
    $isFile = $options === [];
    // A redirect would send the key to another host.
    $options += ['timeout' => 30, 'ignore_errors' => true, 'follow_location' => 0];
    for ($attempt = 1; ; $attempt++) {
        $wait = 2 ** $attempt;
        try {
            $stream = fopen($url, 'r', false, stream_context_create(['http' => $options]));
            $content = stream_get_contents($stream);
            $head = implode("\n", stream_get_meta_data($stream)['wrapper_data']);
            preg_match('/^\S+ (\d+)/', $head, $status);
            preg_match('/^content-length: *(\d+)/mi', $head, $length);
            $size = (int) ($length[1] ?? ($isFile ? -1 : strlen($content)));
            if ($status[1] < 300 && strlen($content) === $size) {
                return $content;
            }
            preg_match('/^retry-after: *(\d+)/mi', $head, $after);
            $wait = (int) ($after[1] ?? $wait);
            $problem = "$url: $status[1] $content";
            $isFinal = !in_array($status[1], [200, 429, 502, 503, 504]);
        } catch (ErrorException $error) {
            $problem = $error->getMessage();
            $isFinal = false;
        }
        if ($isFinal || $attempt === 6) {
            // The rest of the address of a file would let anyone download it.
            throw new RuntimeException(str_replace($url, strtok($url, '?'), $problem));
        }
        sleep($wait);
    }
}

function call(string $path, array $body): array
{
    global $url, $headers;
    $content = json_encode((object) $body);
    $options = ['method' => 'POST', 'header' => $headers, 'content' => $content];
    $answer = json_decode(send($url . $path, $options), true);
    return $answer ?? throw new RuntimeException("$path: the answer is not JSON");
}

function save(string $url, string $path): void
{
    $content = send($url);
    $file = fopen("$path.part", 'w');
    if (fwrite($file, $content) !== strlen($content) || !fsync($file)) {
        throw new RuntimeException("$path cannot be written");
    }
    fclose($file);
    rename("$path.part", $path);
    if (PHP_OS_FAMILY !== 'Windows') {
        fsync(fopen(dirname($path), 'r'));
    }
}

$tokens = call('/token', [
    'username' => setting('ADX_USERNAME'),
    'password' => base64_encode(setting('ADX_PASSWORD')),
]);
$headers[] = 'authorization: Bearer ' . $tokens['idToken'];

if (!is_dir('statements')) {
    mkdir('statements');
}
$files = [];
foreach (call('/coda-files', []) as $customer) {
    foreach ($customer['ibans'] as $account) {
        array_push($files, ...$account['files']);
    }
}
echo count($files), " new files\n";
foreach (array_chunk($files, 100) as $some) {
    foreach ($some as $file) {
        if (!preg_match('/^[A-Za-z0-9][A-Za-z0-9_-]{4,}[.][a-z]+$/D', $file['fileName'])) {
            throw new RuntimeException('wrong file name: ' . json_encode($file['fileName']));
        }
        save($file['urls']['coda'], 'statements/' . $file['fileName']);
        echo $file['fileName'], "\n";
    }
    call('/coda-files/acknowledgements', ['fileIds' => array_column($some, 'id')]);
}
