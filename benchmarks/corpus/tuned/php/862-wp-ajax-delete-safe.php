<?php
/*
Plugin Name: Signup list
*/

add_action('wp_ajax_signup_delete', 'signup_delete');

function signup_delete()
{
    global $wpdb;
    check_ajax_referer('signup_delete');
    if (!current_user_can('manage_options')) {
        wp_send_json_error('forbidden', 403);
    }
    $id = absint($_POST['id'] ?? 0);
    if ($id === 0) {
        wp_send_json_error('id is missing', 400);
    }
    $wpdb->delete($wpdb->prefix . 'signups', ['id' => $id], ['%d']);
    wp_send_json_success();
}
