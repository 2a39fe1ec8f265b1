module CommentsHelper
  MENTION = /@(\w+)/

  def comment_body(comment)
    text = comment.body.gsub(MENTION, '<a href="/u/\1">@\1</a>')
    text.html_safe
  end

  def comment_time(comment)
    time_ago_in_words(comment.created_at)
  end
end
