using System.Net;
using Microsoft.AspNetCore.Html;
using Microsoft.AspNetCore.Mvc.Rendering;

public static class BadgeHelper
{
    public static IHtmlContent Badge(this IHtmlHelper html, string label, int count)
    {
        if (count <= 0)
        {
            return HtmlString.Empty;
        }
        return new HtmlString($"<span class=\"badge\">{label}: {count}</span>");
    }
}
