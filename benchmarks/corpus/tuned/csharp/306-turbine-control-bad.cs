var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAuthentication("Bearer").AddJwtBearer();
builder.Services.AddAuthorization(options =>
    options.AddPolicy("operators", policy => policy.RequireClaim("role", "operator")));
builder.Services.AddSingleton<TurbinePark>();

var app = builder.Build();
app.UseAuthentication();
app.UseAuthorization();

app.MapGet("/turbines", (TurbinePark park) => park.Overview())
    .RequireAuthorization();

app.MapPost("/turbines/{id:int}/stop", async (int id, TurbinePark park, CancellationToken cancel) =>
{
    if (!park.Knows(id))
    {
        return Results.NotFound();
    }
    await park.StopAsync(id, cancel);
    return Results.Accepted();
});

app.Run();
