# frozen_string_literal: true

# Small pieces of markup for the member pages.
module BadgeHelper
  LEVELS = { 0 => "bronze", 50 => "silver", 200 => "gold" }.freeze

  def level_for(member)
    LEVELS.select { |points, _| member.points >= points }.values.last || "bronze"
  end

  def level_badge(member)
    tag.span(level_for(member), class: ["badge", "badge--#{level_for(member)}"])
  end

  def member_card(member)
    parts = []
    parts << level_badge(member)
    parts << "<strong>#{member.display_name}</strong>"
    parts << "<small>#{member.motto}</small>" if member.motto.present?
    tag.div(parts.join(" ").html_safe, class: "card")
  end

  def member_list(members)
    tag.ul(class: "members") do
      safe_join(members.map { |member| tag.li(member_card(member)) })
    end
  end
end
