module CommentsHelper
  MENTION = /@(\w+)/

  def comment_body(comment)
    text = ERB::Util.html_escape(comment.body).gsub(MENTION, '<a href="/u/\1">@\1</a>')
    sanitize(text, tags: %w[a], attributes: %w[href])
  end

  def comment_time(comment)
    time_ago_in_words(comment.created_at)
  end
end
