module ProfileHelper
  LEVELS = {
    0 => 'newcomer',
    10 => 'regular',
    100 => 'veteran'
  }.freeze

  def level_for(user)
    threshold = LEVELS.keys.select { |minimum| user.posts_count >= minimum }.max
    LEVELS.fetch(threshold)
  end

  def profile_badge(user)
    css = "badge badge-#{level_for(user)}"
    "<span class=\"#{css}\">#{user.display_name}</span>".html_safe
  end

  def profile_stats(user)
    items = [
      ['Posts', user.posts_count],
      ['Likes', user.likes_count]
    ]
    content_tag(:ul, class: 'stats') do
      safe_join(items.map { |label, number| content_tag(:li, "#{label}: #{number}") })
    end
  end

  def profile_header(user)
    content_tag(:header) do
      safe_join([profile_badge(user), profile_stats(user)])
    end
  end
end
