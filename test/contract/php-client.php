<?php
/*
 * Loads the generated client for PHP from the folder in CLIENT, and adds what its generator forgets. Debian's packages have
 * everything else that it needs: php-cli, php-curl, php-mbstring, php-guzzlehttp-guzzle.
 */

declare(strict_types=1);

namespace GuzzleHttp\Psr7 {
    if (!function_exists('GuzzleHttp\Psr7\build_query')) {
        /** The client is made for version 1 of this package; version 2 has it under another name. */
        function build_query(array $values): string
        {
            return Query::build($values);
        }
    }
}

namespace {
    /** What every refusal has. The client names classes for their unions, and does not make them. */
    final class AnyRefusal
    {
        public const DISCRIMINATOR = null;
        public string $message = '';
        public string $code = '';
        public array $meta = [];

        public static function openAPITypes(): array
        {
            return ['message' => 'string', 'code' => 'string', 'meta' => 'object'];
        }

        public static function attributeMap(): array
        {
            return ['message' => 'message', 'code' => 'code', 'meta' => 'meta'];
        }

        public static function setters(): array
        {
            return ['message' => 'setMessage', 'code' => 'setCode', 'meta' => 'setMeta'];
        }

        public function setMessage(string $message): void
        {
            $this->message = $message;
        }

        public function setCode(string $code): void
        {
            $this->code = $code;
        }

        public function setMeta(array $meta): void
        {
            $this->meta = $meta;
        }
    }

    require 'GuzzleHttp/autoload.php';

    spl_autoload_register(static function (string $class): void {
        $space = 'Dispensary\\';
        // The client names some of its models without their namespace.
        $name = str_contains($class, '\\') ? $class : "{$space}Model\\$class";
        if (!str_starts_with($name, $space)) {
            return;
        }
        $path = getenv('CLIENT') . '/lib/' . strtr(substr($name, strlen($space)), '\\', '/') . '.php';
        if (is_file($path)) {
            require_once $path;
        } elseif (str_contains($class, 'OneOf')) {
            $name = AnyRefusal::class;
        } else {
            return;
        }
        if ($name !== $class) {
            class_alias($name, $class);
        }
    });
}
