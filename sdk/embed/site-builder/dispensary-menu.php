<?php
/**
 * Plugin Name: Dispensary menu
 * Description: A shop's menu with live stock and prices: [dispensary_menu category="Flower" limit="12"]
 * Version: 1.0.0
 * License: MIT
 * Requires PHP: 7.4
 */

defined('ABSPATH') || exit;

const DISPENSARY_MENU_SETTINGS = ['dispensary_menu_url' => 'Address of the service', 'dispensary_menu_key' => 'Publishable key'];
const DISPENSARY_MENU_ATTRIBUTES = ['type', 'category', 'limit', 'product-url', 'minimum-age', 'theme'];

add_action('admin_init', function () {
    add_settings_section('dispensary_menu', 'Dispensary menu', '__return_null', 'general');
    foreach (DISPENSARY_MENU_SETTINGS as $name => $label) {
        register_setting('general', $name, ['sanitize_callback' => 'sanitize_text_field']);
        add_settings_field($name, esc_html($label), function () use ($name) {
            printf('<input class="regular-text" name="%1$s" value="%2$s">', esc_attr($name), esc_attr(get_option($name, '')));
        }, 'general', 'dispensary_menu');
    }
});

add_shortcode('dispensary_menu', function ($given) {
    $url = rtrim(get_option('dispensary_menu_url', ''), '/');
    $key = get_option('dispensary_menu_key', '');
    if ($url === '' || $key === '') return '';
    wp_enqueue_script('dispensary-menu', esc_url($url . '/embed/menu.js'), [], null, ['strategy' => 'async']);
    $attributes = ['key' => $key, 'base-url' => $url];
    foreach ((array) $given as $name => $value) {
        $name = str_replace('_', '-', (string) $name);
        if (in_array($name, DISPENSARY_MENU_ATTRIBUTES, true)) $attributes[$name] = $value;
    }
    $text = '';
    foreach ($attributes as $name => $value) $text .= sprintf(' %s="%s"', $name, esc_attr($value));
    return "<dispensary-menu$text></dispensary-menu>";
});
